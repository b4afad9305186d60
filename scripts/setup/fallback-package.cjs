// electron-builder's afterPack hook, used with the fallback Electron only: it is older than the newest fuse of
// electron-builder.yml, and setting a fuse that a binary does not have is an error. CommonJS, as electron-builder wants.
module.exports = ({ packager }) => {
  delete packager.config.electronFuses.grantFileProtocolExtraPrivileges;
};
