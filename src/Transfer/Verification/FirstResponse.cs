namespace Transfer.S3.Verification;

/// <summary>Specifies how much of an object the first response contains.</summary>
internal enum FirstResponse
{
    /// <summary>The response contains a part of the object, or only its headers.</summary>
    Part,

    /// <summary>The response contains the whole object as a range.</summary>
    All,

    /// <summary>The response contains the whole object, requested without a range. The store then sends the checksum too, if it has one.</summary>
    AllWithChecksum,
}
