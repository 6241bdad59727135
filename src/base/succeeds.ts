/** Whether something succeeds that rejects where it does not. */
export async function succeeds(task: Promise<unknown>): Promise<boolean> {
  return await task.then(
    () => true,
    () => false,
  );
}
