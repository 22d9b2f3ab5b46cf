/** The fate of a process, by its pid; or the server of its store, by that one's. Throws where the system does not let it. */
export declare function strike(kind: string, pid: number, journal: string, server?: number): void
