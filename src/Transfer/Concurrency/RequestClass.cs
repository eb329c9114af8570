namespace Transfer.S3.Concurrency;

/// <summary>Specifies the classes of requests, from the most to the least urgent.</summary>
internal enum RequestClass
{
    /// <summary>The range that the reader of an ordered read waits for.</summary>
    Head,

    /// <summary>Requests without data: lookups, listings, and cleanup.</summary>
    Lookup,

    /// <summary>Requests for small objects.</summary>
    Small,

    /// <summary>The first range of a large download. Its response determines how the download continues.</summary>
    First,

    /// <summary>Read-ahead, parts of files, and parts of uploads.</summary>
    Part,
}
