using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>What an upload ended in.</summary>
internal readonly record struct PublishedUpload(PublishedObject Object, ChecksumVerdict Verdict, int Parts);
