import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'examples/dist/', 'coverage/', 'bench/', 'data/', 'web/src/api/types.ts'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // Numbers print as everybody expects.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return this.#end()` in a function that answers nothing is an early exit, not a confusion.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // `as T` says what it becomes; `!` only says that somebody was sure.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // Written as code points, on purpose: what such a class matches can't be seen on a screen.
      'no-misleading-character-class': ['error', { allowEscape: true }],
    },
  },
  { files: ['web/**/*.ts', 'web/**/*.tsx'], extends: [reactHooks.configs.flat['recommended-latest']] },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      // A test that finds nothing where it expects something should fail loudly, right there.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Matchers such as expect.any() are typed `any` by vitest.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        setImmediate: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
      },
    },
  },
);
