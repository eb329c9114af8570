using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>An option that few people need. The short help leaves it out.</summary>
internal sealed class RareOption<T>(string name, params string[] aliases) : Option<T>(name, aliases), IRareOption;
