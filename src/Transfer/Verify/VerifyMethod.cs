using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The method that determined whether a file and an object are the same.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<VerifyMethod>))]
public enum VerifyMethod
{
    /// <summary>
    /// No method was conclusive, and <see cref="VerifyOptions.ReadContent"/> is <see langword="false"/>. The file and the object were not compared.
    /// </summary>
    None = 0,

    /// <summary>The sizes: they differ, or both are 0.</summary>
    Size,

    /// <summary>The checksum of the object or of its parts that the store holds.</summary>
    Checksum,

    /// <summary>The ETag of the object, which is made of MD5s (Amazon S3 API Reference, "Object").</summary>
    ETag,

    /// <summary>The content: the object was read.</summary>
    Content,
}
