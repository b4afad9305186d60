/** True in test builds and under Vitest, false in what is released; set by the build (IMPRIMATUR_TEST_BUILD=1). */
declare const __TEST_BUILD__: boolean;
