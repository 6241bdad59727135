import { runProgram } from './program';

runProgram(process.argv.slice(2));
