// The script of a worker thread that decodes source maps: a bundle of its own.
import { answerJobs } from '../base/jobThreads';
import { traceSource } from './trace';

answerJobs(traceSource);
