using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>How an operation on one of many objects has ended.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<OutcomeStatus>))]
public enum OutcomeStatus
{
    /// <summary>It was done. An object that somebody else deleted after it was listed counts as deleted.</summary>
    Done = 0,

    /// <summary>It would be done: this is a dry run or a plan.</summary>
    Planned,

    /// <summary>Both sides are the same, so there is nothing to do.</summary>
    Same,

    /// <summary>It was skipped because the target already exists.</summary>
    Skipped,

    /// <summary>It was skipped because the source is archived (<see cref="ArchivedObjects.Skip"/>).</summary>
    Archived,

    /// <summary>The source is archived, and its restoration was requested or is in progress (<see cref="ArchivedObjects.Restore"/>). A dry run doesn't request it.</summary>
    Restoring,

    /// <summary>The target was not deleted, because something with its name exists at the source that could not be read or isn't selected.</summary>
    Shielded,

    /// <summary>The source or the target has changed since it was listed, or can't be written without damage to something else. Nothing was written or deleted.</summary>
    Conflict,

    /// <summary>It failed, or the name can't be used at the target.</summary>
    Failed,

    /// <summary>The contents differ.</summary>
    Different,

    /// <summary>There is no such target, or the name can't be used at the target.</summary>
    OnlyAtSource,

    /// <summary>There is no such source, or the name can't be used at the source.</summary>
    OnlyAtTarget,

    /// <summary>Both sides could not be compared without reading content that can't or must not be read.</summary>
    NotCompared,
}
