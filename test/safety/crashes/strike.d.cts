/** What befalls a process, by its pid. Throws where the system does not let it. */
export declare function strike(kind: string, pid: number, journal: string): void
