namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>A request that was sent.</summary>
/// <param name="Command">The number of the command that sent it.</param>
/// <param name="Time">When it was sent.</param>
/// <param name="Method">The method.</param>
/// <param name="Port">The port of the store.</param>
/// <param name="Path">The decoded path: the bucket and the key.</param>
/// <param name="Query">The decoded query.</param>
internal sealed record RequestStep(int Command, int Time, string Method, int Port, string Path, string Query)
{
    /// <summary>Gets a value that indicates whether it lists the objects of a place. A listing of few objects has no second page.</summary>
    public bool IsListing => IsPage && !IsLookup;

    /// <summary>Gets a value that indicates whether it looks up objects that were listed before: one of them, or neighbors as a part of a listing.</summary>
    public bool IsLookup => Method == "HEAD" || (IsPage && Query.Contains("start-after=", StringComparison.Ordinal));

    private bool IsPage => Method == "GET" && Query.Contains("list-type=2", StringComparison.Ordinal);
}
