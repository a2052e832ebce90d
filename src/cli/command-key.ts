/** The name of the key that commands use where none is given. */
export const COMMAND_KEY = "command line";
