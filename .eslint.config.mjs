import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Rules of the house that a linter can keep: no switched-off types, no floating promises, named exports only. */
const house = {
  '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } }],
  'no-console': 'error',
  eqeqeq: 'error',
};

/** Functions of VS Code whose texts become links and icons; `notify.ts` passes them texts that cannot. */
const SHOWS_TEXT =
  '/^(show(Information|Warning|Error)Message|show(QuickPick|InputBox)|create(QuickPick|InputBox|StatusBarItem)|setStatusBarMessage|withProgress)$/';

export default tseslint.config(
  { ignores: ['dist/', '.vscode-test/', 'node_modules/', 'test/fixtures/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: house,
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/editor/notify.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          `MemberExpression > .property[name=${SHOWS_TEXT}]`,
          `ObjectPattern > Property > .key[name=${SHOWS_TEXT}]`,
        ].map((selector) => ({ selector, message: 'Show texts through src/editor/notify.ts.' })),
      ],
    },
  },
  {
    // Mocha's `this.timeout` and chained assertions, and scripts that talk to a terminal.
    files: ['test/**/*.ts', 'src/local/main.ts'],
    rules: { 'no-console': 'off' },
  },
  // Declarations describe other people's modules, default exports included.
  { files: ['**/*.d.ts'], rules: { 'no-restricted-exports': 'off' } },
  { files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
);
