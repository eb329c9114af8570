using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies whether an upload follows symbolic links in a local directory.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<SymbolicLinks>))]
public enum SymbolicLinks
{
    /// <summary>
    /// Links are followed: their targets are uploaded under the names of the links. A link to a directory that contains it is reported as a failure.
    /// </summary>
    Follow = 0,

    /// <summary>Links are skipped.</summary>
    Skip,
}
