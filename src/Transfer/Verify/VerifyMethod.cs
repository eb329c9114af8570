namespace Transfer;

/// <summary>What told whether a file and an object are the same.</summary>
public enum VerifyMethod
{
    /// <summary>Nothing could tell, and <see cref="VerifyOptions.ReadContent"/> is off: they were not compared.</summary>
    None = 0,

    /// <summary>Their sizes: they differ, or both are empty.</summary>
    Size,

    /// <summary>The checksum that the store holds of the object, or of its parts.</summary>
    Checksum,

    /// <summary>The object's entity tag, which is made of MD5s (Amazon S3 API Reference, "Object").</summary>
    ETag,

    /// <summary>Their bytes: the object was read.</summary>
    Content,
}
