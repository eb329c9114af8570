using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies how a store handles something that not every store supports.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StoreSupport>))]
public enum StoreSupport
{
    /// <summary>Not known, or known too long ago.</summary>
    Unknown = 0,

    /// <summary>The store supports it.</summary>
    Supported,

    /// <summary>The store accepts the request, but ignores what it asks for.</summary>
    Ignored,

    /// <summary>The store refuses the request.</summary>
    Refused,
}
