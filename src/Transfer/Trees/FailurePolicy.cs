using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies whether a transfer of many objects continues after an object has failed.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<FailurePolicy>))]
public enum FailurePolicy
{
    /// <summary>The first failure stops the transfer and is thrown. Objects in progress are canceled; objects that are complete are kept.</summary>
    Abort = 0,

    /// <summary>
    /// The transfer continues with all other objects, regardless of the errors. The result contains the number of failures and the first of them.
    /// </summary>
    Continue,
}
