import fc from 'fast-check';
import { DECODERS } from '../security/decoders';
import { jsonLike } from './inputs';
import { target, type FuzzTarget } from './target';

/** Messages that one decoder gets in a row: some have an effect only after others. */
const MESSAGES = 12;

/** The decoders of JSON that others have written; each row of messages begins with a new one. */
export const MESSAGE_TARGETS: readonly FuzzTarget[] = Object.entries(DECODERS).map(
  ([name, { seeds, begin, mayThrow = () => false, isSlow }]) =>
    target(name, {
      usual: isSlow ? 15 : 40,
      inputs: fc.array(jsonLike(...seeds), { minLength: 1, maxLength: MESSAGES }),
      run: async (texts) => {
        const feed = await begin();
        try {
          for (const text of texts) {
            try {
              await feed.push(text);
            } catch (error) {
              if (!mayThrow(error)) throw error;
            }
          }
        } finally {
          await feed.end?.();
        }
      },
    }),
);
