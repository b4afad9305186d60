/** Thrown by a notifier on a system that has no notifications: nothing is broken, but nobody is told outside of the window. */
export class NotifierMissing extends Error {}
