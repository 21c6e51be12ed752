/** A backup or a restore can't be done as asked. The message is complete: the operator needs nothing else. */
export class BackupFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupFault'
  }
}

/** The store has no room. What the run stored takes room that others need, so it is removed. */
export class NoRoom extends BackupFault {}
