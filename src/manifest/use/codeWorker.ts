// The script of worker threads that read code: a bundle of its own.
import { answerJobs } from '../../base/jobThreads';
import type { CodeFacts } from './codeFacts';
import { readCode } from './codeReader';

answerJobs((texts: readonly string[]): CodeFacts[] => texts.map(readCode));
