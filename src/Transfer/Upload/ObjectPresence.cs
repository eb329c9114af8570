namespace Transfer.S3.Upload;

/// <summary>Specifies whether an object exists, as far as the store returns that.</summary>
internal enum ObjectPresence
{
    /// <summary>The store doesn't return it, because the credentials don't allow reading or the object is encrypted with another key.</summary>
    Unknown,

    /// <summary>The object doesn't exist.</summary>
    Absent,

    /// <summary>The object exists.</summary>
    Present,
}
