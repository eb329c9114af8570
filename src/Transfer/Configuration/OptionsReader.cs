using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Transfer.Scheduling;

namespace Transfer.Configuration;

/// <summary>
/// Reads options from configuration. The general binder can't parse "8MiB", uses reflection, which doesn't work with trimming, and would add a package.
/// </summary>
internal static class OptionsReader
{
    /// <param name="section">The section.</param>
    /// <param name="options">Receives the values.</param>
    /// <param name="name">The name of the options.</param>
    /// <exception cref="OptionsValidationException">Thrown when a value can't be parsed.</exception>
    public static void Read(IConfiguration section, TransferClientOptions options, string name)
    {
        foreach (ClientOption option in ClientOptionTable.All)
        {
            if (section[option.Name] is not { Length: > 0 } text)
            {
                continue;
            }

            string path = section is IConfigurationSection { Path: { Length: > 0 } parent } ? ConfigurationPath.Combine(parent, option.Name) : option.Name;
            if (!option.TryRead(text.Trim(), options))
            {
                throw new OptionsValidationException(name, typeof(TransferClientOptions), [$"{path} is '{text}'; it must be {option.Accepted}."]);
            }

            options.Sources ??= new ConfigurationSources();
            options.Sources.Add(option.Name, path, option.Value(options));
        }
    }
}
