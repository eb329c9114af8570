using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies what is requested while a seekable stream is opened.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<SeekableOpen>))]
public enum SeekableOpen
{
    /// <summary>Nothing. The first read decides what is requested first.</summary>
    OnDemand,

    /// <summary>The first bytes of the object.</summary>
    Start,

    /// <summary>The last bytes of the object, where many formats have their index.</summary>
    End,
}
