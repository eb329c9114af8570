namespace Transfer.Upload;

/// <summary>Whether an object is there, as far as the store tells.</summary>
internal enum ObjectPresence
{
    /// <summary>The store does not tell: the credentials may only write, or the object is encrypted with another key.</summary>
    Unknown,

    /// <summary>There is none.</summary>
    Absent,

    /// <summary>There is one.</summary>
    Present,
}
