/**
 * Environment variable with the address of the service that the editor suite has started for its tests. Its token is in the variable
 * that Sideload reads.
 */
export const SERVICE_ENV = 'SIDELOAD_TEST_SERVICE';
