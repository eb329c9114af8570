using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The result of the lookup of an object that may have been published.</summary>
/// <param name="Object">The object; null if there is none or a different one, or if the store didn't respond.</param>
/// <param name="IsAnswered">Whether the store responded. Otherwise, the object may exist.</param>
internal readonly record struct PublishedLookup(PublishedObject? Object, bool IsAnswered);
