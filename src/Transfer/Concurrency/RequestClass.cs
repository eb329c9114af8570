namespace Transfer.Concurrency;

/// <summary>The classes of requests, in the order in which they get free slots.</summary>
internal enum RequestClass
{
    /// <summary>The range that an ordered read's reader waits for.</summary>
    Head,

    /// <summary>Requests with little or no data: lookups, listings, and small objects.</summary>
    Small,

    /// <summary>The first range of a large download. Its response tells how to go on.</summary>
    First,

    /// <summary>Read-ahead, parts of files, and parts of uploads.</summary>
    Part,
}
