namespace Transfer.S3.Buffers;

/// <summary>Specifies what a reader did with a page that it pinned.</summary>
internal enum PageUse
{
    /// <summary>The reader only waited for the page.</summary>
    None,

    /// <summary>The reader used the data.</summary>
    Read,

    /// <summary>The reader used the data and won't use it again. The page is released if the object has no other reader.</summary>
    Last,
}
