using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>An option that sets a header of the target object.</summary>
/// <param name="Property">The name of the property of <see cref="UploadOptions"/>, which errors of the library begin with.</param>
/// <param name="Set">Returns options with the value. It throws if the value is invalid.</param>
/// <param name="Option">The option of the tool.</param>
internal sealed record HeaderOption(string Property, Func<UploadOptions, GivenValue, UploadOptions> Set, Option<string?> Option);
