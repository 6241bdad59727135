/** Environment variable with the user of the machines of the tests' local service, whose home extensions are in; `kernel` without it. */
export const SERVICE_USER_ENV = 'SIDELOAD_TEST_SERVICE_USER';

/** That user. */
export const SERVICE_USER = process.env[SERVICE_USER_ENV] ?? 'kernel';

/** The folder of uploaded extensions on the machines of the tests' browsers. */
export const EXTENSIONS_ROOT = `/home/${SERVICE_USER}/extensions`;
