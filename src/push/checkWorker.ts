// The script of a worker thread that checks extension folders: a bundle of its own.
import { answerJobs } from '../jobThreads';
import { inheritTexts } from '../texts';
import { checkSmall, type FolderCheck } from './folderCheck';

inheritTexts();
answerJobs((check: FolderCheck) => checkSmall(check));
