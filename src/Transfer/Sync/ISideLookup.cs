namespace Transfer.S3.Sync;

/// <summary>Finds what is at a side now, by names.</summary>
internal interface ISideLookup
{
    /// <summary>Finds entries.</summary>
    /// <param name="names">Names that follow those of the call before, in order.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>An entry for each name; null if there is none. An entry that can't be looked up has the error.</returns>
    Task<SyncEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken);
}
