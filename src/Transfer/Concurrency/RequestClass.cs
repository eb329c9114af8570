namespace Transfer.Concurrency;

/// <summary>Specifies the classes of requests, in the order in which they get free slots.</summary>
internal enum RequestClass
{
    /// <summary>The range that the reader of an ordered read waits for.</summary>
    Head,

    /// <summary>Requests with little or no data: lookups, listings, and small objects.</summary>
    Small,

    /// <summary>The first range of a large download. Its response determines how the download continues.</summary>
    First,

    /// <summary>Read-ahead, parts of files, and parts of uploads.</summary>
    Part,
}
