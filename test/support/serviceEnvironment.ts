/**
 * Environment variable with the address of the service that the editor suite has started for its tests. The token stands where
 * Sideload looks for one.
 */
export const SERVICE_ENV = 'SIDELOAD_TEST_SERVICE';
