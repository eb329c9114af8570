using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Transfer.S3.Requests;

namespace Transfer.S3.Configuration;

/// <summary>
/// Reads options from configuration. The general binder can't parse "8MiB", uses reflection, which doesn't work with trimming, and would add a package.
/// </summary>
internal static class OptionsReader
{
    /// <param name="section">The section.</param>
    /// <param name="options">Receives the values.</param>
    /// <param name="name">The name of the options.</param>
    /// <exception cref="OptionsValidationException">Thrown when a value can't be parsed, or when a key isn't an option.</exception>
    public static void Read(IConfiguration section, TransferClientOptions options, string name)
    {
        CheckKeys(section, string.Empty, name);
        foreach (ClientOption option in ClientOptionTable.All)
        {
            if (section[option.Name] is not { Length: > 0 } text)
            {
                continue;
            }

            string path = section is IConfigurationSection { Path: { Length: > 0 } parent } ? ConfigurationPath.Combine(parent, option.Name) : option.Name;
            if (!option.TryRead(text.Trim(), options))
            {
                throw Invalid(name, $"{path} is '{text}'; it must be {option.Accepted}.");
            }

            options.Sources ??= new ConfigurationSources();
            options.Sources.Add(option.Name, path, option.Value(options));
        }
    }

    /// <summary>
    /// Refuses keys that aren't options, which would do nothing. A whole configuration is not checked: it has the keys of everything else, and the variables of the process.
    /// </summary>
    /// <param name="section">The section.</param>
    /// <param name="parent">The beginning of the names of its options: empty, or the name of a group of options with a colon.</param>
    /// <param name="name">The name of the options.</param>
    private static void CheckKeys(IConfiguration section, string parent, string name)
    {
        if (section is not IConfigurationSection)
        {
            return;
        }

        foreach (IConfigurationSection child in section.GetChildren())
        {
            string key = parent + child.Key;
            ClientOption? option = ClientOptionTable.All.FirstOrDefault(one => one.Name.Equals(key, StringComparison.OrdinalIgnoreCase));
            if (option is null)
            {
                string group = key + ConfigurationPath.KeyDelimiter;
                if (string.IsNullOrEmpty(child.Value) && ClientOptionTable.All.Any(one => one.Name.StartsWith(group, StringComparison.OrdinalIgnoreCase)))
                {
                    CheckKeys(child, group, name);
                    continue;
                }

                string names = string.Join(", ", ClientOptionTable.All.Select(static one => one.Name));
                throw Invalid(name, $"{child.Path} is not an option that configuration can set. The options are {names}.");
            }

            if (child.GetChildren().Any())
            {
                throw Invalid(name, $"{child.Path} contains keys; it must be a value: {option.Accepted}.");
            }
        }
    }

    private static OptionsValidationException Invalid(string name, string message) => new(name, typeof(TransferClientOptions), [message]);
}
