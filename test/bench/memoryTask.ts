/** The environment variable with a {@link MemoryTask} as JSON. */
export const MEMORY_ENV = 'SIDELOAD_BENCH_UPLOAD';

/** What is uploaded where. */
export interface MemoryTask {
  baseUrl: string;
  token: string;
  browserId: string;
  folder: string;
}
