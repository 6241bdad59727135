// The script of a worker thread that decodes source maps: a bundle of its own.
import { answerJobs } from '../jobThreads';
import { traceSource } from './trace';

answerJobs(traceSource);
