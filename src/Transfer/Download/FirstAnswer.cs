namespace Transfer.Download;

/// <summary>How much of an object the answer brings that tells what the object is.</summary>
internal enum FirstAnswer
{
    /// <summary>A part of it, or only its headers.</summary>
    Part,

    /// <summary>All of it, as a range.</summary>
    All,

    /// <summary>All of it, and it was asked for without a range: then the store sends its checksum too, if it has one.</summary>
    AllWithChecksum,
}
