using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Who can shorten the retention of an object, or delete the object before it ends.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<RetentionMode>))]
public enum RetentionMode
{
    /// <summary>Users with a special permission.</summary>
    Governance = 0,

    /// <summary>Nobody, not even the root user of the account.</summary>
    Compliance,
}
