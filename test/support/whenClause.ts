/** The values of context keys; one that is absent is undefined, as in VS Code. */
export type ContextKeys = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

const TOKEN = /\s*(&&|\|\||==|!=|=~|\bin\b|!|\(|\)|\/(?:[^/\\]|\\.)+\/|'[^']*'|[\w.:-]+)/gy;

/**
 * Whether a `when` clause of package.json holds, as VS Code evaluates it: `&&` before `||`, `!`, `==`, `!=`, `=~`, `in` and parentheses.
 * @throws Error for a clause that has anything else
 */
export function isTrue(clause: string, keys: ContextKeys): boolean {
  const tokens = tokensOf(clause);
  let at = 0;
  const next = (): string => tokens[at++] ?? fail(clause);
  const any = (): boolean => {
    let value = all();
    while (tokens[at] === '||') {
      at++;
      value = all() || value;
    }
    return value;
  };
  const all = (): boolean => {
    let value = one();
    while (tokens[at] === '&&') {
      at++;
      value = one() && value;
    }
    return value;
  };
  const one = (): boolean => {
    const token = next();
    if (token === '!') return !one();
    if (token === '(') {
      const value = any();
      if (next() !== ')') fail(clause);
      return value;
    }
    if (token === 'true' || token === 'false') return token === 'true';
    return compared(keys[token]);
  };
  const compared = (value: ContextKeys[string]): boolean => {
    switch (tokens[at]) {
      case '==':
        at++;
        return String(value) === literal(next());
      case '!=':
        at++;
        return String(value) !== literal(next());
      case '=~':
        at++;
        return new RegExp(next().slice(1, -1)).test(typeof value === 'string' ? value : '');
      case 'in': {
        at++;
        const list = keys[next()];
        return Array.isArray(list) && list.includes(value);
      }
      default:
        return Boolean(value);
    }
  };
  const value = any();
  return at === tokens.length ? value : fail(clause);
}

function tokensOf(clause: string): string[] {
  const tokens: string[] = [];
  let end = 0;
  for (const match of clause.matchAll(TOKEN)) {
    tokens.push(match[1] ?? '');
    end = match.index + match[0].length;
  }
  return clause.slice(end).trim() === '' ? tokens : fail(clause);
}

function literal(token: string): string {
  return token.replaceAll(/^'|'$/g, '');
}

function fail(clause: string): never {
  throw new Error(`This is no clause that the tests know: ${clause}`);
}
