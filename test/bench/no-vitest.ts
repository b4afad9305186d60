/** Stands in for vitest where the tests' worlds are built outside of a test: nobody clears up after a test that is none. */
export const afterEach = (_clearUp: () => void): void => undefined;
export const onTestFinished = (_clearUp: () => void): void => undefined;
