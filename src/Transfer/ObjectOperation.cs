using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>What is done with one of many objects.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ObjectOperation>))]
public enum ObjectOperation
{
    /// <summary>The source is copied, or read. Directories don't look whether the target exists, so this can replace it.</summary>
    Copy = 0,

    /// <summary>A target that differs from the source, or isn't known to be the same, is replaced.</summary>
    Replace,

    /// <summary>The target is deleted.</summary>
    Delete,

    /// <summary>Both sides are compared.</summary>
    Compare,
}
