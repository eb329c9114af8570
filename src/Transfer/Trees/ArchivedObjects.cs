using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>What happens to objects in an archive, such as those of the storage classes <c>GLACIER</c> and <c>DEEP_ARCHIVE</c>, which can't be read before they are restored.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ArchivedObjects>))]
public enum ArchivedObjects
{
    /// <summary>Each is a failure.</summary>
    Fail = 0,

    /// <summary>They are skipped, and counted.</summary>
    Skip,

    /// <summary>Their restoration is requested, unless it is in progress. They can be transferred later, after hours.</summary>
    Restore,
}
