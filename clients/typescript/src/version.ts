/** The version of the SDK: that of package.json. */
export const version = "1.0.0";
