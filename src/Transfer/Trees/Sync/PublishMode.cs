using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>When a synchronization publishes the objects that it uploads.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PublishMode>))]
public enum PublishMode
{
    /// <summary>Each object when it was uploaded. Readers see old and new objects next to each other for as long as the synchronization takes.</summary>
    Each = 0,

    /// <summary>
    /// All objects together, after all of them were uploaded: readers see the old objects, then both for some seconds, then the new ones. If anything fails before,
    /// nothing is published.
    /// </summary>
    AllAtOnce,
}
