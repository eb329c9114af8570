using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies one of the two stores of a copy.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<CopySide>))]
public enum CopySide
{
    /// <summary>The store that is read.</summary>
    Source,

    /// <summary>The store that is written.</summary>
    Target,
}
