/**
 * What a promise gives, if it does so within `limitMs`. Otherwise rejects with an error that names `what` was waited for. The work behind the
 * promise is not ended by that; what becomes of it is ignored.
 */
export async function within<T>(what: string, limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what}: not within ${limitMs / 1000} s`));
    }, limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
