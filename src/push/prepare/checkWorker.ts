// The script of a worker thread that checks extension folders: a bundle of its own.
import { answerJobs } from '../../base/jobThreads';
import { inheritTexts } from '../../base/translations';
import { checkSmall, type FolderCheck } from './folderCheck';

inheritTexts();
answerJobs((check: FolderCheck) => checkSmall(check));
