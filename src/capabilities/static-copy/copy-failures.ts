/** The folder of a static copy holds something that is not of one. The message is for people. */
export class ForeignFolder extends Error {
  constructor(dir: string, what: string) {
    super(`${dir} ${what}: choose an empty or a new folder, or one that an export has written.`);
    this.name = 'ForeignFolder';
  }
}

/** Another process has written the folder of a static copy in between. */
export class FolderChanged extends Error {
  constructor() {
    super('Another process writes the same folder.');
    this.name = 'FolderChanged';
  }
}
